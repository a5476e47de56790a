// Spoils answers of the test server: cut short, altered, late or slow. Nothing outside tests asks for it.
import { createReadStream } from 'node:fs';

/**
 * @typedef {object} Fault
 * @property {boolean} [drop]         close the connection before any answer
 * @property {number} [status]        answer with this status and no file
 * @property {number} [truncateAt]    close the connection after this many bytes of the body
 * @property {number} [endAt]         end the body properly after this many bytes (a short file)
 * @property {number | number[]} [alter]  offsets in the file whose byte is inverted
 * @property {number} [delay]         milliseconds before the first byte
 * @property {number} [bytesPerSecond]    throttle
 */

const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

/** Sends bytes start to end (inclusive) of a file with the fault applied. */
export async function sendFaulty(response, file, start, end, fault) {
  if (fault.delay) await sleep(fault.delay);
  const limit = fault.truncateAt ?? fault.endAt ?? Number.POSITIVE_INFINITY;
  const last = Math.min(end, start + limit - 1);
  if (fault.endAt !== undefined)
    response.setHeader('Content-Length', Math.max(0, last - start + 1));
  const offsets = [fault.alter ?? []].flat();
  const perPiece = fault.bytesPerSecond ? Math.max(1, Math.ceil(fault.bytesPerSecond / 20)) : 65536;
  response.flushHeaders();

  let position = start;
  if (last >= start) {
    const pieces = createReadStream(file, { start, end: last, highWaterMark: perPiece });
    for await (const piece of pieces) {
      if (response.destroyed) return;
      for (const offset of offsets) {
        const index = offset - position;
        if (index >= 0 && index < piece.length) piece[index] ^= 0xff;
      }
      position += piece.length;
      if (!response.write(piece)) await written(response);
      if (fault.bytesPerSecond) await sleep((1000 * piece.length) / fault.bytesPerSecond);
    }
  }
  // What is still in the socket's buffer must reach the client before the connection breaks.
  if (fault.truncateAt !== undefined && last < end) response.socket?.destroySoon();
  else response.end();
}

/** Until the written bytes are taken or the client has gone. */
const written = (response) =>
  new Promise((done) => {
    response.once('drain', done);
    response.once('close', done);
  });
