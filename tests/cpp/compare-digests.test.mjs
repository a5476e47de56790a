// The comparison of digests can fail: run by ctest as `node --test`.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { differences, parseDigest } from './compare-digests.mjs';

const DIGEST = parseDigest('exp 0 .. 1 cbf43926\nsoftmax_row 3 00000000\n');

test('equal digests differ nowhere', () => {
  assert.deepEqual(differences(DIGEST, new Map(DIGEST)), []);
});

test('one altered digit is named with both values', () => {
  const other = parseDigest('exp 0 .. 1 cbf43927\nsoftmax_row 3 00000000\n');
  assert.deepEqual(differences(DIGEST, other), ['exp 0 .. 1: cbf43926, cbf43927']);
});

test('a line that one side lacks is a difference, on either side', () => {
  const shorter = parseDigest('exp 0 .. 1 cbf43926\n');
  assert.deepEqual(differences(DIGEST, shorter), ['softmax_row 3: 00000000, missing']);
  assert.deepEqual(differences(shorter, DIGEST), ['softmax_row 3: missing, 00000000']);
});

test('no lines, broken lines and names that come twice are errors', () => {
  assert.throws(() => parseDigest(''), /empty/);
  assert.throws(() => parseDigest('exp 0 .. 1 cbf4392'), /not a digest line/);
  assert.throws(() => parseDigest('RuntimeError: unreachable'), /not a digest line/);
  assert.throws(() => parseDigest('a 00000000\na 00000000'), /two lines/);
});
