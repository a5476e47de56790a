/** Unpacks deflated bytes piece by piece with the platform's own DecompressionStream, no faster than they are taken. */

/** What goes wrong while unpacking arrives as an error of the platform, what goes wrong in `pieces` as it is. */
export async function* inflate(
  pieces: AsyncIterable<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<Uint8Array> {
  const { readable, writable } = new DecompressionStream('deflate-raw');
  const writer = writable.getWriter();
  const reader = readable.getReader();
  writer.closed.catch(ignored);
  reader.closed.catch(ignored);
  const source: { failure?: unknown } = {};
  const feeding = feed(pieces, writer, source);
  feeding.catch(ignored);
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      yield value;
    }
    await feeding;
  } catch (error) {
    throw source.failure ?? error;
  } finally {
    reader.cancel().catch(ignored);
    writer.abort().catch(ignored);
  }
}

async function feed(
  pieces: AsyncIterable<Uint8Array<ArrayBuffer>>,
  writer: WritableStreamDefaultWriter<Uint8Array<ArrayBuffer>>,
  source: { failure?: unknown },
): Promise<void> {
  const iterator = pieces[Symbol.asyncIterator]();
  for (;;) {
    let next: IteratorResult<Uint8Array<ArrayBuffer>>;
    try {
      next = await iterator.next();
    } catch (error) {
      source.failure = error;
      await writer.abort(error);
      throw error;
    }
    if (next.done) return writer.close();
    await writer.write(next.value);
  }
}

/** Every failure is told by what is awaited; the same ones arrive at promises that nobody awaits. */
function ignored(): void {}
