/** Half-precision numbers of a file as floats, exactly; for the few vectors that are not kept as they come. */

/** `bytes` holds little-endian IEEE 754 binary16 (`F16`) or bfloat16 (`BF16`) numbers. */
export function widenHalf(bytes: Uint8Array, type: 'F16' | 'BF16'): Float32Array {
  const count = bytes.length >> 1;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const result = new Float32Array(count);
  const bits = new Uint32Array(result.buffer);
  for (let i = 0; i < count; i++) {
    const half = view.getUint16(2 * i, true);
    if (type === 'BF16') bits[i] = half << 16;
    else result[i] = halfToFloat(half);
  }
  return result;
}

function halfToFloat(half: number): number {
  const sign = half & 0x8000 ? -1 : 1;
  const exponent = (half >> 10) & 0x1f;
  const fraction = half & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (1024 + fraction) * 2 ** (exponent - 25);
}
