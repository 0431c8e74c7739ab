import { expect, test } from "vitest";
import { withoutKeys } from "./exchange.ts";

const secret = "0123456789abcdefABCDEF";

test.each(["", "Bearer ", "Bearer%20", "%0A", "line\n", "tab\t", "{\\n", "x", "ユ"])(
  "masks a key after %j",
  (before) => {
    const shown = withoutKeys(`${before}ck_${secret}`);
    expect(shown).toBe(`${before}ck_…`);
    const exchange = {
      url: `http://localhost/?q=${encodeURIComponent(`${before}tk_${secret}`)}`,
      request: { headers: {}, body: JSON.stringify({ text: `${before}tk_${secret}` }) },
      response: { headers: {}, body: "" },
    };
    expect(JSON.stringify(withoutKeys(exchange))).not.toContain(secret);
  },
);

test("leaves words alone that only look like the beginning of a key", () => {
  const text = '{"feedback_value":1,"track_number":"TT-1"}';
  expect(withoutKeys(text)).toBe(text);
});
