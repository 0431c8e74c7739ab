/**
 * The part of a `Response` that the client reads. A server's own transport creates nothing else: a web stream
 * for each body, and the objects of a `Response`, cost more than parsing the body.
 */
export interface Reply extends Pick<Response, "status" | "type"> {
  readonly headers: Pick<Headers, "get"> & Iterable<[string, string]>;
  readonly body: { getReader(): BodyReader } | null;
}

export type BodyReader = Pick<ReadableStreamDefaultReader<Uint8Array>, "read" | "cancel">;
