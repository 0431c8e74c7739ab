import { expect, test } from "vitest";
import { readPlug } from "./plug.ts";

test("is not there without the lab's key, as in front of a live channel", async () => {
  const response = await readPlug(new Request("http://localhost:3000/api/shop/plug?chat=chat_0001"));
  expect(response.status).toBe(404);
});
