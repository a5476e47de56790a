// The one error of the tools that is shown as a sentence, without a stack trace.

export class Failure extends Error {}
