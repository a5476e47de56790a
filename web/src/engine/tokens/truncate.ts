/** How many tokens of one or two texts fit: the longest text is cut first, as the reference does. */

/** `room` is what is left for the texts once the special tokens have their places. */
export function keptLengths(first: number, second: number, room: number): [number, number] {
  if (first + second <= room) return [first, second];
  const shorter = Math.min(first, second);
  const longer = Math.max(shorter, room - shorter);
  const [small, large] =
    shorter + longer <= room
      ? [shorter, longer]
      : [Math.floor(room / 2), Math.floor(room / 2) + (room % 2)];
  return first <= second ? [small, large] : [large, small];
}
