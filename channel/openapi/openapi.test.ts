/** The OpenAPI document is valid, complete and accurate. */
import { Validator } from "@seriousme/openapi-schema-validator";
import { expect, test } from "vitest";
import { chatApiErrorCodes } from "#lib/chat-api/errors.ts";
import { operationSchemas } from "#lib/chat-api/operation-schemas.ts";
import { operationNames, operations } from "#lib/chat-api/operations.ts";
import { testChannel, testOrigin } from "../testing/test-channel.ts";
import { openApiDocument } from "./document.ts";
import { answerExamples, requestExamples } from "./examples.ts";

const document = openApiDocument();

function described(name: (typeof operationNames)[number]) {
  const { method, path } = operations[name];
  const found = document.paths[`/v1/channels/{channelKey}${path}`]?.[method.toLowerCase()];
  if (found === undefined) throw new Error(`${name} is not described`);
  return found;
}

test("passes an independent OpenAPI validator", async () => {
  const { valid, errors } = await new Validator().validate(structuredClone(document));
  expect(errors).toBeUndefined();
  expect(valid).toBe(true);
});

test("each operation documents its parameters and body", () => {
  for (const name of operationNames) {
    const operation = described(name);
    const { writes, path } = operations[name];
    const parameters = operation.parameters.map((parameter) => parameter.$ref.split("/").at(-1));
    expect(parameters.includes("idempotencyKey"), name).toBe(writes);
    expect(parameters.includes("chatId"), name).toBe(path.includes("{chatId}"));
    expect(operation.requestBody === undefined, name).toBe(operations[name].body === "none");
  }
});

test("documents every error code and header", () => {
  const text = JSON.stringify(document.paths);
  for (const code of chatApiErrorCodes) expect(text, code).toContain(`"${code}":{"value"`);
  for (const [status, response] of operationNames.flatMap((name) =>
    Object.entries(described(name).responses),
  )) {
    const headers = Object.keys(response.headers);
    expect(headers).toContain("X-Request-Id");
    const isSuccess = status.startsWith("2");
    for (const header of ["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"])
      expect(headers.includes(header)).toBe(isSuccess);
    expect(headers.includes("Retry-After")).toBe(status === "429" || status === "503");
    expect(headers.includes("Allow")).toBe(status === "405");
  }
});

test("the examples match the contract", () => {
  for (const name of operationNames) {
    const { response, body } = { response: undefined, body: undefined, ...operationSchemas[name] };
    if (response !== undefined)
      expect(response.parse(answerExamples[name]), name).toEqual(answerExamples[name]);
    if (body !== undefined) expect(body.safeParse(requestExamples[name]).success, name).toBe(true);
  }
});

test("resources document their fields, nullability and patterns", () => {
  const chat = JSON.stringify(document.components.schemas["Chat"]);
  expect(chat).toContain(
    '"required":["id","channelKey","userId","mode","teammate","createdAt","updatedAt","resolvedAt","historyComplete","handoff"]',
  );
  expect(chat).toContain('"enum":["agent","waiting","teammate","resolved"]');
  expect(chat).not.toContain('"default"');
  const body = JSON.stringify(document.components.schemas["SendMessageBody"]);
  expect(body).toContain('"additionalProperties":false');
  expect(body).toContain('"maxLength":4000');
  expect(JSON.stringify(document.components.schemas["SubmitCollectionBody"])).toContain('"maxProperties":20');
});

test("the HTML page shows every operation, and its policy forbids scripts", async () => {
  const { channel } = await testChannel();
  const response = await channel.fetch(new Request(`${testOrigin}/docs`));
  const html = await response.text();
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/html; charset=UTF-8"]);
  expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
  for (const name of operationNames) expect(html).toContain(`id="${name}"`);
  for (const code of chatApiErrorCodes) expect(html).toContain(code);
  expect(html).not.toContain("<script");
});
