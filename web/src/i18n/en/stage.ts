/** English texts of the head wall, the stage, scales and roles. */

export const stage = {} as const;
