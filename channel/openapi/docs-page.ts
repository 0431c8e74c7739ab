/** The OpenAPI description as an HTML page. */
import { html, raw } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";
import type { OperationDescription, openApiDocument, ResponseDescription } from "./document.ts";
import type { JsonSchema } from "./schemas.ts";

type Html = HtmlEscapedString | Promise<HtmlEscapedString>;
type Document = ReturnType<typeof openApiDocument>;

const style = `
  :root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 18%, transparent); }
  body { font: 16px/1.55 system-ui, sans-serif; max-width: 62rem; margin: 0 auto; padding: 2rem 1rem 6rem; }
  h1 { line-height: 1.15; } h2 { margin-top: 3.5rem; } h3 { font-size: 1rem; margin: 1.5rem 0 .4rem; }
  code, pre { font: .875em/1.5 ui-monospace, monospace; } pre { white-space: pre-wrap; overflow-wrap: anywhere; padding: .8rem 1rem; border: 1px solid var(--line); border-radius: .5rem; }
  .path { overflow-wrap: anywhere; } .method { font-weight: 700; }
  table { border-collapse: collapse; width: 100%; } td, th { border-top: 1px solid var(--line); padding: .45rem .6rem .45rem 0; text-align: left; vertical-align: top; overflow-wrap: anywhere; }
  .table { overflow-x: auto; } nav ul { columns: 2 16rem; padding-left: 1.2rem; } summary { cursor: pointer; }
  a { color: inherit; }
`;

export function docsPage(document: Document, { nonce, origin }: { nonce: string; origin: string }): Html {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${document.info.title}</title>
        <style nonce="${nonce}">${raw(style)}</style>
      </head>
      <body>
        <header>
          <h1>${document.info.title}, version ${document.info.version}</h1>
          <p>${document.info.description} For programs: <a href="/v1/openapi.json">/v1/openapi.json</a>.</p>
        </header>
        <nav aria-label="Operations and resources">
          <ul>
            ${operations.map(
              ({ operation }) => html`<li><a href="#${operation.operationId}">${operation.summary}</a></li>`,
            )}
            ${Object.keys(document.components.schemas).map((name) => html`<li><a href="#${name}">${name}</a></li>`)}
          </ul>
        </nav>
        <main>
          ${beforeTheFirstCall(origin)}
          ${operations.map(({ path, method, operation }) => operationSection(path, method, operation))}
          ${Object.entries(document.components.schemas).map(
            ([name, schema]) => html`<section><h2 id="${name}">${name}</h2>${fields(schema)}</section>`,
          )}
        </main>
      </body>
    </html>`;
}

/** What no single operation says. */
function beforeTheFirstCall(origin: string): Html {
  return html`<section>
    <h2 id="first">Before the first call</h2>
    <ul>
      <li>Every path is below <code>${origin}/v1/channels/{channelKey}</code>. The start prints the channel key and names the file with the chat key.</li>
      <li>Every request carries <code>Authorization: Bearer &lt;chat key&gt;</code> and no <code>Origin</code>: call from a server.</li>
      <li>Every POST carries <code>Idempotency-Key</code>: 8 to 128 letters, digits or <code>. _ : -</code>, such as a UUID. The same key with the same body returns the first result (200 instead of 201).</li>
      <li><code>userId</code> has 8 to 128 letters, digits or <code>. _ : -</code>. <code>limit</code> is 1 to 50. <code>fileIds</code> holds 1 to 4 IDs of uploaded files.</li>
      <li>A form: read the collection, send <code>request.id</code> as <code>collectionRequestId</code> and <code>version</code> as <code>expectedVersion</code>. The value of a choice is the option's <code>id</code>.</li>
      <li>The hand-over: send <code>handoffOffer.confirmationId</code>, and <code>email</code> if <code>requiresEmail</code> is true. After <code>collection_incomplete</code>, read the collection, submit the fields in <code>missing</code>, then repeat the handoff with a new key.</li>
      <li>A stream (<code>Accept: text/event-stream</code>) that ends without <code>done</code> or <code>error</code>: send the message again with the same key.</li>
    </ul>
  </section>`;
}

function operationSection(path: string, method: string, operation: OperationDescription): Html {
  const [type, body] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  return html`<section>
    <h2 id="${operation.operationId}">${operation.summary}</h2>
    <p class="path"><code><span class="method">${method.toUpperCase()}</span> ${path}</code></p>
    <p>${operation.description}</p>
    <p>Parameters: ${operation.parameters.map((parameter) => html`<code>${nameOf(parameter.$ref)}</code> `)}</p>
    ${
      body === undefined
        ? ""
        : html`<h3>Body: ${type}</h3>${schemaOf(body["schema"])}${
            body["example"] === undefined ? "" : example(body["example"])
          }`
    }
    <h3>Answers</h3>
    <div class="table">
      <table>
        <tbody>
          ${Object.entries(operation.responses).map(([status, response]) => answerRow(status, response))}
        </tbody>
      </table>
    </div>
  </section>`;
}

function answerRow(status: string, response: ResponseDescription): Html {
  const json = response.content?.["application/json"];
  const stream = response.content?.["text/event-stream"];
  return html`<tr>
    <th scope="row">${status}</th>
    <td>
      ${response.description.split("\n\n").map((line) => html`<div>${line.replaceAll("`", "")}</div>`)}
      ${
        json === undefined
          ? ""
          : html`<details>
              <summary>Example</summary>
              ${example(json.example ?? Object.values(json.examples ?? {})[0]?.value)}
              ${stream === undefined ? "" : html`<pre>${String(stream.example)}</pre>`}
            </details>`
      }
    </td>
  </tr>`;
}

function example(value: unknown): Html {
  return html`<pre>${JSON.stringify(value, null, 2)}</pre>`;
}

function schemaOf(schema: unknown): Html {
  const reference = isSchema(schema) ? schema["$ref"] : undefined;
  return typeof reference === "string"
    ? html`<p><a href="#${nameOf(reference)}">${nameOf(reference)}</a></p>`
    : fields(schema);
}

function fields(schema: unknown): Html {
  const properties = isSchema(schema) && isSchema(schema["properties"]) ? schema["properties"] : {};
  const required = isSchema(schema) && Array.isArray(schema["required"]) ? schema["required"] : [];
  return html`<div class="table">
    <table>
      <tbody>
        ${Object.entries(properties).map(
          ([name, property]) => html`<tr>
            <th scope="row"><code>${name}</code></th>
            <td>${typeText(property)}${required.includes(name) ? "" : ", optional"}</td>
            <td>${isSchema(property) ? String(property["description"] ?? "") : ""}</td>
          </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** A schema's type in a few words. */
function typeText(schema: unknown): string {
  if (!isSchema(schema)) return "";
  const { $ref: reference, anyOf, allOf, type, items, enum: words } = schema;
  if (typeof reference === "string") return nameOf(reference);
  if (Array.isArray(anyOf)) return anyOf.map(typeText).join(" or ");
  if (Array.isArray(allOf)) return allOf.map(typeText).join(" and ");
  if (Array.isArray(words)) return words.join(", ");
  if (type === "array") return `list of ${typeText(items)}`;
  return String(type ?? "any value");
}

function nameOf(reference: string): string {
  return reference.split("/").at(-1) ?? reference;
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null;
}
