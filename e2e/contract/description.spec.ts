/** Compares our channel's OpenAPI description with the tables in `support/specification.ts`. */
import { send } from "./support/http.ts";
import { type Code, errorStatus, globalCodes, operationNames, operations } from "./support/specification.ts";
import { choice, expect, test } from "./support/test.ts";

interface Description {
  openapi: string;
  info: { version: string };
  paths: Record<
    string,
    Record<
      string,
      {
        operationId: string;
        responses: Record<string, { content?: Record<string, { examples?: Record<string, unknown> }> }>;
      }
    >
  >;
}

test("describes API version 1 and nine operations with all their errors", choice, async ({ target }) => {
  const answer = await send({
    method: "GET",
    base: target.base,
    path: "/v1/openapi.json",
    timeoutMilliseconds: 30_000,
  });
  expect(answer.status).toBe(200);
  const description = JSON.parse(answer.text) as Description;
  expect(description.info.version).toBe("1");

  const described = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      "responses" in operation ? [{ path, method, ...operation }] : [],
    ),
  );
  expect(described.map(({ operationId }) => operationId).toSorted()).toEqual(operationNames.toSorted());
  for (const { operationId, path, method, responses } of described) {
    const name = operationNames.find((each) => each === operationId);
    if (name === undefined) throw new Error(operationId);
    const rules = operations[name];
    expect(method.toUpperCase()).toBe(rules.method);
    expect(path).toBe(`/v1/channels/{channelKey}${rules.path({ chatId: "{chatId}", fileId: "{fileId}" })}`);
    for (const status of rules.statuses) expect(Object.keys(responses)).toContain(`${status}`);
    const errors = Object.entries(responses).flatMap(([status, { content }]) =>
      Number(status) < 400
        ? []
        : Object.keys(content?.["application/json"]?.examples ?? {}).map((code) => [code, Number(status)]),
    );
    const expected: Code[] = [...new Set([...rules.codes, ...globalCodes])];
    expect(errors, operationId).toEqual(
      expect.arrayContaining(expected.map((code) => [code, errorStatus[code]])),
    );
  }
});
