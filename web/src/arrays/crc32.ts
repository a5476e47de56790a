/** The CRC-32 of ZIP (ISO 3309), to be continued over pieces. */

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte;
  for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? 0xedb88320 ^ (sum >>> 1) : sum >>> 1;
  return sum;
});

/** `sum` is that of the bytes before. */
export function crc32(bytes: Uint8Array, sum = 0): number {
  let state = ~sum;
  for (const byte of bytes) state = TABLE[(state ^ byte) & 0xff]! ^ (state >>> 8);
  return ~state >>> 0;
}
