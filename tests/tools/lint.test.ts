/** Every check of the lint step is shown to find what it is for, and to let clean files pass. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import * as biome from '../../tools/lint/biome.mjs';
import * as cppFlags from '../../tools/lint/cpp-flags.mjs';
import * as cppFormat from '../../tools/lint/cpp-format.mjs';
import * as cppLayers from '../../tools/lint/cpp-layers.mjs';
import * as lockFile from '../../tools/lint/lock-file.mjs';
import * as notice from '../../tools/lint/notice.mjs';
import * as privateNames from '../../tools/lint/private-names.mjs';
import * as translations from '../../tools/lint/translations.mjs';
import * as tsLayers from '../../tools/lint/ts-layers.mjs';
import * as types from '../../tools/lint/types.mjs';
import * as wasmOpcodes from '../../tools/lint/wasm-opcodes.mjs';
import { folderWith } from './fixture.ts';

const repository = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

describe('layers of the C++ code', () => {
  const faultsOf = (path: string, include: string) =>
    cppLayers.check(folderWith({ [path]: `#pragma once\n#include ${include}\n` }));

  it.each([
    ['cpp/core/a.hpp', '<cstddef>'],
    ['cpp/simd/a.hpp', '<xsimd/xsimd.hpp>'],
    ['cpp/simd/a.hpp', '<wasm_simd128.h>'],
    ['cpp/kernels/a.cpp', '"simd/vec.hpp"'],
    ['cpp/bindings/a.cpp', '<emscripten/bind.h>'],
    ['cpp/bindings/a.cpp', '"model/run.hpp"'],
    ['tests/cpp/a_test.cpp', '<doctest/doctest.h>'],
    ['tests/cpp/a_test.cpp', '"model/run.hpp"'],
  ])('%s may include %s', (path, include) => {
    expect(faultsOf(path, include)).toEqual([]);
  });

  it.each([
    ['cpp/core/a.hpp', '"simd/vec.hpp"', 'core may not know simd'],
    ['cpp/attention/a.cpp', '"model/run.hpp"', 'attention may not know model'],
    ['cpp/kernels/a.cpp', '<xsimd/xsimd.hpp>', 'only cpp/simd'],
    ['cpp/kernels/a.cpp', '<immintrin.h>', 'only cpp/simd'],
    ['cpp/model/a.cpp', '<emscripten.h>', 'only cpp/bindings'],
    ['cpp/model/a.cpp', '<emscripten/val.h>', 'only cpp/bindings'],
    ['cpp/core/a.hpp', '<doctest/doctest.h>', 'only tests'],
    ['cpp/core/a.hpp', '<sys/mman.h>', 'neither standard'],
    ['cpp/core/a.cpp', '"a.hpp"', 'by its path from cpp/'],
    ['cpp/other/a.cpp', '"core/a.hpp"', 'not in the list of layers'],
    ['tests/cpp/a_test.cpp', '<immintrin.h>', 'only cpp/simd'],
  ])('%s may not include %s', (path, include, why) => {
    const faults = faultsOf(path, include);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(new RegExp(`^${path}:2: .*${why}`));
  });
});

describe('compiler flags', () => {
  it('instruction sets belong in cpp/cmake, comments may speak of them', () => {
    const root = folderWith({
      'CMakeLists.txt': '# -msimd128 is elsewhere\nadd_compile_options(-mavx2)\n',
      'cpp/cmake/variant.cmake': 'target_compile_options(x INTERFACE -msimd128)\n',
    });
    expect(cppFlags.check(root)).toEqual(['CMakeLists.txt:2: -mavx2 belongs in cpp/cmake']);
  });

  it('inexact arithmetic is allowed nowhere', () => {
    const root = folderWith({ 'cpp/cmake/variant.cmake': '\nset(CMAKE_CXX_FLAGS -ffast-math)\n' });
    expect(cppFlags.check(root)[0]).toMatch(/^cpp\/cmake\/variant\.cmake:2: -ffast-math/);
  });
});

it('clang-format finds a badly formatted line', () => {
  const root = folderWith({ 'cpp/core/a.cpp': 'int  a( ){return 1 ;}\n' });
  const faults = cppFormat.check(root);
  if (cppFormat.installedVersion() === cppFormat.CLANG_FORMAT)
    expect(faults[0]).toMatch(/^cpp\/core\/a\.cpp:1:/);
  else expect(faults).toEqual([]);
  expect(cppFormat.check(folderWith({ 'cpp/core/a.cpp': 'int a() { return 1; }\n' }))).toEqual([]);
});

describe('layers of the TypeScript code', () => {
  const faultsOf = (path: string, text: string) => tsLayers.check(folderWith({ [path]: text }));

  it.each([
    ['web/src/engine/a.ts', "import { b } from './formats/b.ts';"],
    ['web/src/state/a.ts', "import { createEngine } from 'headlights';"],
    ['web/src/draw/a.ts', "import type { Run } from '../engine/types.ts';"],
    ['web/src/draw/a.ts', "import { scaleLinear } from 'd3-scale';"],
    ['web/src/arrays/a.ts', "import { readTensor } from '../engine/formats/safetensors.ts';"],
    ['web/src/views/a.ts', "import { evaluate } from '../calculator/expression.ts';"],
    ['web/src/draw/a.ts', "// document.title\nexport const documents = 'window.top';"],
    [
      'web/src/views/a.ts',
      "import { LitElement } from 'lit'; import { t } from '../i18n/index.ts';",
    ],
    ['web/src/pages/a.ts', "import '../views/a.ts'; import { createEngine } from 'headlights';"],
  ])('%s may say %s', async (path, text) => {
    expect(await faultsOf(path, text)).toEqual([]);
  });

  it.each([
    ['web/src/views/a.ts', "import { createEngine } from 'headlights';", 'may not import library'],
    ['web/src/views/a.ts', "import type { Run } from '../engine/types.ts';", 'types of engine'],
    ['web/src/views/a.ts', "export { store } from '../state/store.ts';", 'may not import state'],
    ['web/src/views/a.ts', "const a = import('../state/store.ts');", 'may not import state'],
    ['web/src/engine/a.ts', "import { store } from '../state/store.ts';", 'may not import state'],
    ['web/src/state/a.ts', "import { x } from '../engine/x.ts';", "take it from 'headlights'"],
    ['web/src/pages/a.ts', "import { x } from '../engine/x.ts';", "take it from 'headlights'"],
    ['web/src/draw/a.ts', "import { x } from '../engine/types.ts';", 'may not import engine'],
    ['web/src/draw/a.ts', "import { html } from 'lit';", 'package lit'],
    ['web/src/draw/a.ts', 'export const a = document.title;', 'may not use document'],
    ['web/src/arrays/a.ts', "import { x } from '../engine/types.ts';", 'may not import engine'],
    ['web/src/arrays/a.ts', 'export const a = fetch("a");', 'may not use fetch'],
    ['web/src/arrays/a.ts', "import { x } from 'lit';", 'package lit'],
    ['web/src/calculator/a.ts', "import { t } from '../i18n/index.ts';", 'may not import i18n'],
    ['web/src/calculator/a.ts', 'export const a = location.hash;', 'may not use location'],
    ['web/src/other/a.ts', 'export {};', 'not in the list of layers'],
  ])('%s may not say %s', async (path, text, why) => {
    const faults = await faultsOf(path, `\n${text}`);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(/^web\/src\/\w+\/a\.ts:[12]: /);
    expect(faults[0]).toContain(why);
  });
});

describe('translations', () => {
  const check = (en: string, zh: string, code = '') =>
    translations.check(
      folderWith({
        'web/src/i18n/en/page.ts': `export const page = {\n${en}\n};`,
        'web/src/i18n/zh/page.ts': `export const page = {\n${zh}\n};`,
        'web/src/pages/a.ts': `import { t } from '../i18n/index.ts';\n${code}`,
      }),
    );

  it('two languages with the same keys, all used, pass', async () => {
    const code = "t('a.b', { n: 1 }); const r = t(`role.$" + "{name}`); const k = { key: 'c' };";
    const faults = await check(
      "'a.b': 'n {n}', 'role.first': 'first', c: 'c'",
      "'a.b': '{n} 个', 'role.first': '首', c: '丙'",
      code,
    );
    expect(faults).toEqual([]);
  });

  it.each([
    ["'a': 'a', 'b': 'b'", "'a': '甲'", "t('a'); t('b');", "en/page.ts:2: 'b' is missing in zh"],
    ["'a': 'a'", "'a': '甲', 'b': '乙'", "t('a');", "zh/page.ts:2: 'b' is missing in en"],
    ["'a': '{n} a'", "'a': '甲'", "t('a');", "zh/page.ts:2: 'a' has the parameters {}"],
    ["'a': 'a'", "'a': ' '", "t('a');", "zh/page.ts:2: 'a' is empty"],
    ["'a': 'a'", "'a': '甲'", "t('a'); t('b');", "pages/a.ts:2: there is no text 'b'"],
    ["'a': 'a'", "'a': '甲'", '', "en/page.ts:2: 'a' is used nowhere"],
  ])('en %s, zh %s, code %s is a fault', async (en, zh, code, fault) => {
    const faults = await check(en, zh, code);
    expect(faults.join('\n')).toContain(fault);
    expect(faults).toHaveLength(1);
  });
});

it('biome finds an unformatted file', () => {
  const root = folderWith({ 'tools/a.mjs': 'export const a = "x"\n' });
  copyFileSync(repository('biome.json'), `${root}/biome.json`);
  expect(biome.check(root)[0]).toContain('tools/a.mjs');
  writeFileSync(`${root}/tools/a.mjs`, "export const a = 'x';\n");
  expect(biome.check(root)).toEqual([]);
});

it('tsc finds a type error, and what only strict mode finds', () => {
  const tsconfig =
    '{ "compilerOptions": { "noEmit": true, "types": [], "lib": ["ES2022"] }, "files": ["a.ts"] }';
  const faultsOf = (text: string) =>
    types.check(folderWith({ 'tsconfig.json': tsconfig, 'a.ts': text }));
  expect(faultsOf("export const a: number = 'x';")[0]).toMatch(/a\.ts\(1,14\): error TS2322/);
  expect(faultsOf('export const f = (a) => a;')[0]).toMatch(/error TS7006/);
  expect(faultsOf('export const a: number = 1;')).toEqual([]);
});

it('the lock file holds no addresses and has no gaps, and package.json holds no ranges', () => {
  const check = (lock: string, version: string) =>
    lockFile.check(
      folderWith({
        'package-lock.json': `{\n${lock}\n}`,
        'package.json': JSON.stringify({ dependencies: { lit: version } }, null, 2),
      }),
    );
  expect(check('"version": "1.0.0"', '3.3.3')).toEqual([]);
  expect(check('"resolved": "https://example.org/a.tgz"', '3.3.3')[0]).toMatch(
    /^package-lock\.json:2:/,
  );
  const gap = '"packages": { "node_modules/a": { "optionalDependencies": { "b": "1" } } }';
  expect(check(gap, '3.3.3')).toEqual([
    'package-lock.json: node_modules/a needs b, which is missing',
  ]);
  const nested =
    '"packages": { "node_modules/a/node_modules/c": { "dependencies": { "b": "1" } }, "node_modules/b": {} }';
  expect(check(nested, '3.3.3')).toEqual([]);
  expect(check('"version": "1.0.0"', '^3.3.3')[0]).toMatch(/^package\.json:3: lit is not pinned/);
});

it('NOTICE names what is shipped, and nothing else is a runtime dependency', async () => {
  const check = (text: string, dependencies: object) =>
    notice.check(
      folderWith({
        NOTICE: text,
        'package.json': JSON.stringify({ dependencies }),
        'web/src/views/a.ts': "import { signal } from '@preact/signals-core';",
        'web/src/views/b.ts': "import type { Page } from 'playwright-core';",
      }),
    );
  const used = { '@preact/signals-core': '1.0.0' };
  expect(await check('- @preact/signals-core: MIT', used)).toEqual([]);
  expect(await check('- @preact/signals: MIT', used)).toEqual([
    'NOTICE: @preact/signals-core is shipped and not named',
  ]);
  expect(await check('@preact/signals-core', { ...used, unused: '1.0.0' })).toEqual([
    'package.json: unused is a dependency that web/src does not import',
  ]);
});

it('no file names a machine path or the host of a registry', () => {
  const host = ['registry', 'npmjs', 'org'].join('.');
  const root = folderWith({
    'a.txt': `one\nsee /${'home'}/somebody/project\n`,
    'b.txt': `from ${host}\n`,
    'c.txt': 'a/tmp/x, https://example.org/home/page, /usr/include and models/work/x are fine\n',
    'ignored/d.txt': `/${'tmp'}/x`,
    '.gitignore': 'ignored/\n',
  });
  execFileSync('git', ['init', '-q'], { cwd: root });
  const faults = privateNames.check(root).map((fault) => fault.split(' ')[0]);
  expect(faults.sort()).toEqual(['a.txt:2:', 'b.txt:1:']);
});

describe('relaxed instructions', () => {
  /** A module whose only function uses the instruction, and whose name speaks of relaxing. */
  const assemble = (instruction: string, operands: number) => {
    const operand = '(local.get 0)'.repeat(operands);
    const text = `(module (func $relaxed_name (param v128) (result v128) (${instruction} ${operand})))`;
    const root = folderWith({ 'm.wat': text });
    const tool = repository('node_modules/binaryen/bin/wasm-as');
    const args = [tool, '--all-features', '-g', `${root}/m.wat`, '-o', `${root}/m.wasm`];
    execFileSync(process.execPath, args);
    return readFileSync(`${root}/m.wasm`);
  };
  const check = (baseline: Uint8Array, relaxed: Uint8Array) =>
    wasmOpcodes.check(
      folderWith({
        'build/wasm-baseline/headlights-baseline.wasm': baseline,
        'build/wasm-relaxed/headlights-relaxed.wasm': relaxed,
      }),
    );

  it('are found in the baseline module and missed in the relaxed one', { timeout: 120_000 }, () => {
    const plain = assemble('f32x4.add', 2);
    const relaxed = assemble('f32x4.relaxed_madd', 3);
    expect(check(plain, relaxed)).toEqual([]);
    expect(check(relaxed, plain)).toEqual([
      'build/wasm-baseline/headlights-baseline.wasm: holds relaxed instructions: f32x4.relaxed_madd',
      'build/wasm-relaxed/headlights-relaxed.wasm: holds no f32x4.relaxed_madd',
    ]);
    expect(wasmOpcodes.check(folderWith({}))).toHaveLength(2);
  });
});
