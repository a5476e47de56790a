/** The one error class of the library, with a closed list of codes. Views translate by code and details. */

export type ErrorCode =
  | 'bad-argument' // a value of the wrong type or outside its range
  | 'bad-shape' // lengths that do not fit together
  | 'too-long' // more than the model or a method can take
  | 'not-found' // a file or model that is not there
  | 'network' // the connection failed or broke off
  | 'blocked' // forbidden by a policy (CSP, CORS) or not confirmed
  | 'gated' // the host asks for a login or an agreement
  | 'truncated' // a file shorter than it says
  | 'corrupt' // a file that contradicts itself or its card
  | 'unsupported' // a family, format or option that is not implemented
  | 'out-of-memory' // memory that could not be had
  | 'no-simd' // a runtime without WebAssembly SIMD
  | 'cancelled' // the caller's signal
  | 'disposed' // used after dispose()
  | 'crashed'; // the engine stopped unexpectedly and was restarted

export class HeadlightsError extends Error {
  override readonly name = 'HeadlightsError';

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details: Readonly<Record<string, unknown>> = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/**
 * What went wrong in words that a user can be told, or null for what should never happen (a trap, a broken
 * invariant): after that the engine must be started anew.
 */
export function knownError(error: unknown): HeadlightsError | null {
  if (error instanceof HeadlightsError) return error;
  if (!(error instanceof RangeError) || !/allocation|array (buffer )?length/i.test(error.message))
    return null;
  return new HeadlightsError(
    'out-of-memory',
    'There is not enough memory for a copy of the data.',
    {
      reason: error.message,
    },
  );
}
