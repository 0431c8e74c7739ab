import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalJson, fingerprint } from "./ledger.ts";

test("a fingerprint ignores key order, Maps and absent members, and nothing else", () => {
  expect(canonicalJson({ b: [1, { d: null, c: "x" }], a: undefined })).toBe('{"b":[1,{"c":"x","d":null}]}');
  expect(
    canonicalJson(
      new Map([
        ["__proto__", "1"],
        ["a", "2"],
      ]),
    ),
  ).toBe('{"__proto__":"1","a":"2"}');
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      expect(canonicalJson(JSON.parse(canonicalJson(value)))).toBe(canonicalJson(value));
    }),
  );
  const one = fingerprint("POST", "/a", { x: 1 });
  expect(one).toBe(fingerprint("POST", "/a", { x: 1 }));
  for (const other of [
    fingerprint("GET", "/a", { x: 1 }),
    fingerprint("POST", "/b", { x: 1 }),
    fingerprint("POST", "/a", { x: "1" }),
  ])
    expect(other).not.toBe(one);
});
