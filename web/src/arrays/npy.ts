/**
 * One array in NumPy's own format (numpy.lib.format, versions 1.0, 2.0 and 3.0): eight bytes of magic and version, a
 * length, a header that is a Python dictionary, then the numbers. Lengths are checked before they are used.
 */
import { ByteStream, type Bytes, pieces } from './bytes.ts';
import { ArrayError, type ArrayErrorDetails } from './errors.ts';
import { Fill, sizeOf } from './fill.ts';
import { type NpyType, npyType } from './npy-types.ts';
import { baseName, type OpenFile } from './open-file.ts';
import { type PythonValue, parsePythonLiteral } from './python-literal.ts';
import { checkLimit, checkShape, titleOf } from './shape.ts';
import type { ArrayEntry, NamedArray } from './types.ts';

export const NPY_MAGIC = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59];

/** NumPy refuses longer ones than 10,000 bytes unless asked. */
const LONGEST_HEADER = 1 << 20;
const PIECE = 1 << 20;

export interface NpyHeader {
  readonly type: NpyType;
  readonly fortran: boolean;
  readonly shape: readonly number[];
}

export async function openNpy(bytes: Bytes): Promise<OpenFile> {
  const where = { file: bytes.name };
  const name = baseName(bytes.name);
  const header = await readNpyHeader(new ByteStream(pieces(bytes)), bytes.size, where);
  const entry = { name, shape: header.shape, dtype: header.type.descr };
  const read = () => readNpy(new ByteStream(pieces(bytes)), bytes.size, name, where);
  return { arrays: [{ entry, read }], skipped: [] };
}

/** The whole array out of a stream of `size` bytes. */
export async function readNpy(
  stream: ByteStream,
  size: number,
  name: string,
  where: ArrayErrorDetails,
): Promise<NamedArray> {
  const { type, fortran, shape } = await readNpyHeader(stream, size, where);
  const count = sizeOf(shape);
  checkLimit(count, where);
  const entry: ArrayEntry = { name, shape, dtype: type.descr };
  const fill = new Fill(entry, fortran);
  for (let left = count * type.size; left > 0; ) {
    const wanted = Math.min(left, PIECE);
    const bytes = await stream.take(wanted);
    if (bytes.length < wanted)
      throw truncated(where, stream.position + left - bytes.length, stream.position);
    fill.add(type.decode(bytes));
    left -= wanted;
  }
  return fill.done();
}

/** The header, checked against the `size` of all bytes; the stream stands at the numbers then. */
export async function readNpyHeader(
  stream: ByteStream,
  size: number,
  where: ArrayErrorDetails,
): Promise<NpyHeader> {
  const corrupt = (what: string) =>
    new ArrayError('corrupt', `${titleOf(where)} is broken: ${what}.`, where);
  const take = async (count: number) => {
    const bytes = await stream.take(count);
    if (bytes.length < count)
      throw truncated(where, stream.position + count - bytes.length, stream.position);
    return bytes;
  };

  const start = await take(8);
  if (!NPY_MAGIC.every((byte, i) => start[i] === byte))
    throw corrupt('it does not begin as a .npy file does');
  const [major, minor] = [start[6]!, start[7]!];
  if (major < 1 || major > 3 || minor !== 0)
    throw new ArrayError(
      'unknown-format',
      `${titleOf(where)} is a .npy file of version ${major}.${minor}; 1.0, 2.0 and 3.0 are read.`,
      { ...where, found: `${major}.${minor}` },
    );
  const lengthBytes = await take(major === 1 ? 2 : 4);
  const view = new DataView(lengthBytes.buffer);
  const length = major === 1 ? view.getUint16(0, true) : view.getUint32(0, true);
  if (length > LONGEST_HEADER) throw corrupt(`its header claims ${length} bytes`);

  const text = new TextDecoder(major === 3 ? 'utf-8' : 'latin1').decode(await take(length));
  const header = headerOf(parsed(text, corrupt), where, corrupt);
  const needed = stream.position + sizeOf(header.shape) * header.type.size;
  if (needed > size) throw truncated(where, needed, size);
  if (needed < size) throw corrupt(`${size - needed} bytes follow the array`);
  return header;
}

type Fault = (what: string) => ArrayError;

function parsed(text: string, corrupt: Fault): Map<PythonValue, PythonValue> {
  let value: PythonValue;
  try {
    value = parsePythonLiteral(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw corrupt(`in its header, ${error.message}`);
  }
  if (!(value instanceof Map)) throw corrupt('its header is no dictionary');
  return value;
}

function headerOf(
  dictionary: Map<PythonValue, PythonValue>,
  where: ArrayErrorDetails,
  corrupt: Fault,
): NpyHeader {
  for (const key of ['descr', 'fortran_order', 'shape'])
    if (!dictionary.has(key)) throw corrupt(`its header has no "${key}"`);
  const type = npyType(dictionary.get('descr'), where);
  const fortran = dictionary.get('fortran_order');
  if (typeof fortran !== 'boolean') throw corrupt('its "fortran_order" is neither True nor False');
  const shape = dictionary.get('shape');
  if (!Array.isArray(shape)) throw corrupt('its "shape" is no tuple');
  return { type, fortran, shape: checkShape(shape, where) };
}

function truncated(where: ArrayErrorDetails, expected: number, found: number): ArrayError {
  return new ArrayError(
    'truncated',
    `${titleOf(where)} is cut off: it needs ${expected} bytes and has ${found}.`,
    { ...where, expected, found },
  );
}
