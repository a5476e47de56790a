/**
 * Copies in and out of WebAssembly memory. Every view is taken anew for each use, because memory that grows
 * detaches all views; nothing here keeps one.
 */
import { HeadlightsError } from '../errors.ts';
import type { WasmModule } from './module.ts';

/** `bytes` bytes of wasm memory, or `out-of-memory` saying for what. */
export function allocate(module: WasmModule, bytes: number, what: string): number {
  const address = bytes <= 0xffff_ffff ? module.allocate(bytes) : 0;
  if (address === 0) throw outOfMemory(bytes, what);
  return address;
}

export function outOfMemory(bytes: number, what: string): HeadlightsError {
  const size = bytes >= 1e6 ? `${Math.round(bytes / 1e6)} MB` : `${bytes} bytes`;
  return new HeadlightsError('out-of-memory', `There is not enough memory for ${what} (${size}).`, {
    bytes,
  });
}

/** Stretches of wasm memory for one call, given back together. */
export class Arena {
  private readonly held: number[] = [];

  constructor(private readonly module: WasmModule) {}

  take(bytes: number, what: string): number {
    const address = allocate(this.module, Math.max(bytes, 16), what);
    this.held.push(address);
    return address;
  }

  floats(numbers: Float32Array, what: string): number {
    const address = this.take(numbers.byteLength, what);
    writeFloats(this.module, address, numbers);
    return address;
  }

  /** 0 where there is nothing. */
  bytes(bytes: Uint8Array | null, what: string): number {
    if (bytes === null) return 0;
    const address = this.take(bytes.length, what);
    writeBytes(this.module, address, bytes);
    return address;
  }

  release(): void {
    for (const address of this.held.splice(0)) this.module.release(address);
  }
}

/** A fresh copy of `count` floats. */
export function copyFloats(module: WasmModule, address: number, count: number): Float32Array {
  return module.HEAPF32.slice(address / 4, address / 4 + count);
}

export function writeBytes(module: WasmModule, address: number, bytes: Uint8Array): void {
  module.HEAPU8.set(bytes, address);
}

export function writeFloats(module: WasmModule, address: number, numbers: Float32Array): void {
  module.HEAPF32.set(numbers, address / 4);
}

export function writeInts(module: WasmModule, address: number, numbers: Int32Array): void {
  module.HEAP32.set(numbers, address / 4);
}

export function copyDoubles(module: WasmModule, address: number, count: number): Float64Array {
  return new Float64Array(module.HEAPU8.slice(address, address + 8 * count).buffer);
}
