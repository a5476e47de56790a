/** NumPy's archive of arrays: a ZIP file whose entries are .npy files. */
import { ByteStream, type Bytes } from './bytes.ts';
import { ArrayError } from './errors.ts';
import { readNpy, readNpyHeader } from './npy.ts';
import type { OpenArray, OpenFile } from './open-file.ts';
import { readZipDirectory, unpack, type ZipEntry } from './zip.ts';

export async function openNpz(bytes: Bytes): Promise<OpenFile> {
  const entries = (await readZipDirectory(bytes)).filter(({ name }) => !name.endsWith('/'));
  refuseOthers(bytes, entries);
  const arrays: OpenArray[] = [];
  const skipped: ArrayError[] = [];
  for (const entry of entries) {
    try {
      const array = await openEntry(bytes, entry);
      refuseDouble(bytes, arrays, array.entry.name);
      arrays.push(array);
    } catch (error) {
      if (!(error instanceof ArrayError)) throw error;
      skipped.push(error);
    }
  }
  return { arrays, skipped };
}

/** Reads the entry's header. */
async function openEntry(bytes: Bytes, entry: ZipEntry): Promise<OpenArray> {
  const name = entry.name.replace(/\.npy$/, '');
  const where = { file: bytes.name, array: name };
  const stream = new ByteStream(unpack(bytes, entry));
  try {
    const { shape, type } = await readNpyHeader(stream, entry.size, where);
    return {
      entry: { name, shape, dtype: type.descr },
      async read() {
        const unpacked = new ByteStream(unpack(bytes, entry));
        const array = await readNpy(unpacked, entry.size, name, where);
        await unpacked.take(1); // runs to the end, where the checksum is compared
        return array;
      },
    };
  } finally {
    await stream.close();
  }
}

function refuseDouble(bytes: Bytes, arrays: readonly OpenArray[], name: string): void {
  if (arrays.some(({ entry }) => entry.name === name))
    throw new ArrayError('duplicate-name', `${bytes.name} holds "${name}" twice.`, {
      file: bytes.name,
      array: name,
    });
}

/** ZIP files of other kinds, by an entry that each of them has. */
function refuseOthers(bytes: Bytes, entries: readonly ZipEntry[]): void {
  const has = (pattern: RegExp) => entries.some(({ name }) => pattern.test(name));
  const found = has(/(^|\/)data\.pkl$/)
    ? 'a PyTorch checkpoint'
    : has(/^\[Content_Types\]\.xml$/)
      ? 'an Office document'
      : null;
  if (found)
    throw new ArrayError(
      'unknown-format',
      `${bytes.name} is ${found}; save its arrays as .npz, safetensors or CSV.`,
      { file: bytes.name, found },
    );
}
