/**
 * Brings one of the two compiled modules to life. The choice is made by validating a few bytes, never by the
 * browser's name; where compiling the relaxed module fails all the same, the baseline one is taken. The files
 * lie beside this one (`headlights-<variant>.mjs` and `.wasm`).
 */
import { relaxedSimd, simd } from 'wasm-feature-detect';
import { isNode, nodeModule } from '../environment.ts';
import { HeadlightsError } from '../errors.ts';
import type { Variant } from '../types.ts';
import type { WasmFactory, WasmModule } from './module.ts';

interface LoadedModule {
  module: WasmModule;
  variant: Variant;
}

/** 'auto': relaxed where the runtime has it. Each call makes a new instance with its own memory. */
export async function loadModule(wish: 'auto' | Variant): Promise<LoadedModule> {
  if (typeof WebAssembly !== 'object' || !(await simd())) {
    throw new HeadlightsError(
      'no-simd',
      'This browser has no WebAssembly SIMD, which the computation needs. Any browser from 2023 on has it.',
    );
  }
  if (wish !== 'baseline' && (await relaxedSimd())) {
    try {
      return await instantiate('relaxed');
    } catch (error) {
      if (wish === 'relaxed' || !(error instanceof HeadlightsError) || error.code !== 'no-simd')
        throw error;
    }
  } else if (wish === 'relaxed') {
    throw new HeadlightsError(
      'no-simd',
      `This ${isNode ? 'version of Node' : 'browser'} has no relaxed WebAssembly SIMD; use the variant 'baseline' or 'auto'.`,
      { variant: 'relaxed' },
    );
  }
  return instantiate('baseline');
}

/** Compiled once a thread; a restarted engine instantiates again. */
const compiled = new Map<Variant, Promise<WebAssembly.Module>>();

async function instantiate(variant: Variant): Promise<LoadedModule> {
  const url = new URL(`headlights-${variant}.wasm`, import.meta.url);
  let compiling = compiled.get(variant);
  if (compiling === undefined) {
    compiling = compile(url, variant);
    compiled.set(variant, compiling);
    compiling.catch(() => compiled.delete(variant));
  }
  const [factory, wasm] = await Promise.all([importFactory(variant), compiling]);
  const module = await new Promise<WasmModule>((resolve, reject) => {
    factory({
      instantiateWasm(imports, done) {
        WebAssembly.instantiate(wasm, imports).then((instance) => done(instance, wasm), reject);
        return {};
      },
    }).then(resolve, reject);
  }).catch((cause: unknown) => {
    throw new HeadlightsError(
      'out-of-memory',
      'The computation could not be started; there may be too little memory.',
      { variant, reason: String(cause) },
      { cause },
    );
  });
  return { module, variant };
}

async function importFactory(variant: Variant): Promise<WasmFactory> {
  const url = new URL(`headlights-${variant}.mjs`, import.meta.url).href;
  try {
    const glue = (await import(/* @vite-ignore */ /* webpackIgnore: true */ url)) as {
      default: WasmFactory;
    };
    return glue.default;
  } catch (cause) {
    throw unavailable(`headlights-${variant}.mjs`, url, cause);
  }
}

async function compile(url: URL, variant: Variant): Promise<WebAssembly.Module> {
  const bytes = await fetchModule(url, variant);
  try {
    if (!(bytes instanceof Response)) return await WebAssembly.compile(bytes as BufferSource);
    if (bytes.headers.get('Content-Type') === 'application/wasm')
      return await WebAssembly.compileStreaming(bytes);
    return await WebAssembly.compile(await bytes.arrayBuffer());
  } catch (cause) {
    throw compileError(variant, url, cause);
  }
}

async function fetchModule(url: URL, variant: Variant): Promise<Response | Uint8Array> {
  const name = `headlights-${variant}.wasm`;
  try {
    if (url.protocol === 'file:' && isNode) {
      const { readFile } = await nodeModule('node:fs/promises');
      return await readFile(url);
    }
    const response = await fetch(url);
    if (response.ok) return response;
    throw new Error(`the host answered ${response.status}`);
  } catch (cause) {
    throw unavailable(name, url.href, cause);
  }
}

/** A policy that forbids compiling is `blocked`, opcodes that are not known `no-simd`, all else `corrupt`. */
function compileError(variant: Variant, url: URL, cause: unknown): HeadlightsError {
  const reason = String((cause as Error).message ?? cause);
  const details = { variant, url: url.href, reason };
  if (/content.security.policy|unsafe-eval|blocked by csp|disallowed by embedder/i.test(reason)) {
    return new HeadlightsError(
      'blocked',
      "This page's security policy forbids WebAssembly; it needs script-src 'wasm-unsafe-eval'.",
      details,
      { cause },
    );
  }
  if (cause instanceof WebAssembly.CompileError) {
    const relaxed = variant === 'relaxed';
    return new HeadlightsError(
      relaxed ? 'no-simd' : 'corrupt',
      relaxed
        ? 'This browser cannot compile the relaxed WebAssembly module.'
        : `headlights-${variant}.wasm is damaged or cannot be compiled here.`,
      details,
      { cause },
    );
  }
  return unavailable(`headlights-${variant}.wasm`, url.href, cause);
}

function unavailable(name: string, url: string, cause: unknown): HeadlightsError {
  const reason = String((cause as Error).message ?? cause);
  return new HeadlightsError(
    'network',
    `${name}, a part of the library, could not be loaded (${reason}).`,
    { file: name, url, reason },
    { cause },
  );
}
