/**
 * Puts the bytes of one file's stream into the model's tensors in wasm memory as they arrive: one copy, no
 * second buffer. A tensor is checked and declared ready when its last byte is there.
 */
import { HeadlightsError } from '../errors.ts';
import { widenHalf } from '../formats/half.ts';
import type { Placement } from '../formats/spec.ts';
import type { ByteSource } from '../sources/byte-source.ts';
import { allocate, outOfMemory, writeBytes, writeFloats } from '../wasm/memory.ts';
import { ELEMENT_TYPES, TENSOR_ROLES, type WasmModel, type WasmModule } from '../wasm/module.ts';
import { type CheckSums, notFinite, wrongSum } from './checks.ts';
import type { RowTable } from './row-table.ts';

interface Target {
  place: Placement;
  address: number;
  /** The bytes lie in memory of their own, to be widened to floats when they are complete. */
  staged: boolean;
}

export class TensorWriter {
  private next = 0;
  private target: Target | null = null;
  /** Where to read again after write() has thrown. */
  resumeAt = 0;

  private embeddingsLeft: number;

  /** `placements`: those of this file, by their begin. */
  constructor(
    private readonly module: WasmModule,
    private readonly model: WasmModel,
    readonly source: ByteSource,
    private readonly placements: readonly Placement[],
    private readonly tables: ReadonlyMap<string, RowTable>,
    private readonly sums: CheckSums | null,
  ) {
    this.embeddingsLeft = placements.filter((place) => this.isEmbedding(place)).length;
  }

  private isEmbedding({ name, role }: Placement): boolean {
    return !this.tables.has(name) && (role === 'typeEmbedding' || role.startsWith('embeddingNorm'));
  }

  /** The tensor that is to be completed next; undefined when all are. */
  get pending(): Placement | undefined {
    return this.placements[this.next];
  }

  /** Nothing of the embeddings but rows of words and positions is still to come from this file. */
  get embeddingsReady(): boolean {
    return this.embeddingsLeft === 0;
  }

  /** Takes the bytes that begin at `position` of the file; they come in order, gaps between tensors included. */
  write(position: number, bytes: Uint8Array): void {
    const end = position + bytes.length;
    for (let place = this.pending; place !== undefined; place = this.pending) {
      const from = Math.max(position, place.begin);
      const to = Math.min(end, place.end);
      if (to > from)
        this.put(place, from - place.begin, bytes.subarray(from - position, to - position));
      if (place.end > end) return;
      this.complete(place);
      this.next += 1;
    }
  }

  private put(place: Placement, offset: number, bytes: Uint8Array): void {
    this.resumeAt = place.begin;
    const table = this.tables.get(place.name);
    if (table === undefined) {
      writeBytes(this.module, this.targetOf(place).address + offset, bytes);
      return;
    }
    try {
      table.write(offset, bytes);
    } catch (error) {
      this.resumeAt = place.begin + table.failedAt;
      throw error;
    }
  }

  private targetOf(place: Placement): Target {
    if (this.target?.place === place) return this.target;
    const role = TENSOR_ROLES.indexOf(place.role);
    const type = ELEMENT_TYPES.indexOf(place.type);
    const bytes = place.end - place.begin;
    const kept = this.model.byteLength(role, place.layer, type);
    if (kept === bytes) {
      const address = this.model.allocate(role, place.layer, type);
      if (address === 0) throw outOfMemory(bytes, place.name);
      this.target = { place, address, staged: false };
    } else if (kept === 0 && (place.type === 'F16' || place.type === 'BF16')) {
      this.target = { place, address: allocate(this.module, bytes, place.name), staged: true };
    } else {
      throw new HeadlightsError(
        'unsupported',
        `${place.name} in ${this.source.name} is stored as ${place.type}, which cannot be used for it.`,
        { file: this.source.name, tensor: place.name, type: place.type },
      );
    }
    return this.target;
  }

  private complete(place: Placement): void {
    if (this.tables.has(place.name)) return;
    this.resumeAt = place.begin;
    const { address, staged } = this.targetOf(place);
    const bytes = place.end - place.begin;
    const sum = this.sums?.tensors.get(place.name);
    if (sum !== undefined && this.module.crc32(address, bytes) >>> 0 !== sum)
      throw wrongSum(this.source.name, place, null);
    const role = TENSOR_ROLES.indexOf(place.role);
    if (staged) this.widen(place, role, address, bytes);
    const bad = this.model.countNonFinite(role, place.layer, 0, place.rows);
    if (bad > 0) throw notFinite(this.source.name, place, bad);
    this.model.setReady(role, place.layer);
    if (this.isEmbedding(place)) this.embeddingsLeft -= 1;
    this.target = null;
  }

  /** Moves a staged vector of half-precision numbers into the model as floats. */
  private widen(place: Placement, role: number, staging: number, bytes: number): void {
    const floats = widenHalf(
      this.module.HEAPU8.slice(staging, staging + bytes),
      place.type as 'F16' | 'BF16',
    );
    const address = this.model.allocate(role, place.layer, ELEMENT_TYPES.indexOf('F32'));
    if (address === 0) throw outOfMemory(floats.byteLength, place.name);
    writeFloats(this.module, address, floats);
    this.module.release(staging);
    this.target = null;
  }

  /** Gives staging memory back; the model's own memory is the model's. */
  close(): void {
    if (this.target?.staged) this.module.release(this.target.address);
    this.target = null;
  }
}
