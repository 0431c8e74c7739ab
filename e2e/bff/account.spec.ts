/** The forms of the account page, as a browser without scripts sends them. */
import { type APIRequestContext, expect } from "@playwright/test";
import { requestTo, sendRaw } from "./raw-http.ts";
import { test } from "./shop-page.ts";

/** The hidden fields of the page's form, which name its action. */
async function actionFields(request: APIRequestContext): Promise<Record<string, string>> {
  const html = await (await request.get("/account")).text();
  const fields = Array.from(
    html.matchAll(/<input type="hidden" name="([^"]+)"(?: value="([^"]*)")?/g),
    (field) => [field[1] ?? "", (field[2] ?? "").replaceAll("&quot;", '"').replaceAll("&amp;", "&")],
  );
  expect(fields.length).toBeGreaterThan(0);
  return Object.fromEntries(fields);
}

const boundary = "of-this-test";

/** Sends the form to sign in. */
async function submit(
  request: APIRequestContext,
  shop: string,
  { customer, headers }: { customer: string; headers: Record<string, string> },
) {
  const fields = Object.entries({ ...(await actionFields(request)), customer });
  const parts = fields.map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const body = `${parts.join("")}--${boundary}--\r\n`;
  const type = { "content-type": `multipart/form-data; boundary=${boundary}` };
  return sendRaw(
    shop,
    requestTo(shop, { method: "POST", path: "/account", headers: { ...type, ...headers }, body }),
  );
}

const customer = "maya-okafor";

test("signs in from the shop's own page, also behind a proxy with another host", async ({
  request,
  origin,
}) => {
  for (const headers of [
    { origin },
    // Hidden by a proxy that sends its own `Host`.
    { origin, host: "internal:3000" },
    // Next compares these two alone, as behind a proxy that passes the public `Host` on.
    { origin: "https://shop.example", host: "shop.example" },
  ]) {
    const { status, text } = await submit(request, origin, { customer, headers });
    expect(status).toBe(200);
    expect(text).toMatch(/^set-cookie: shop_session=maya-okafor~[\w-]{22}; .*HttpOnly; SameSite=lax/im);
    expect(text).toContain("Hello, ");
  }
});

test("rejects the form from other origins", async ({ request, origin }) => {
  for (const other of ["https://evil.example", "null", origin.replace("localhost", "127.0.0.1")]) {
    const { status, text } = await submit(request, origin, { customer, headers: { origin: other } });
    expect(status, other).toBe(500);
    expect(text, other).not.toMatch(/^set-cookie/im);
  }
});

test("says in the page that there is no such customer", async ({ request, origin }) => {
  const { status, text } = await submit(request, origin, { customer: "nobody", headers: { origin } });
  expect(status).toBe(200);
  expect(text).toContain("There is no such customer.");
  expect(text).not.toMatch(/^set-cookie/im);
});
