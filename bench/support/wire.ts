/** An HTTP client for benchmarks: connections that carry one request at a time. */
import { Client, type Dispatcher } from "undici";

export interface WireRequest {
  method: "GET" | "POST";
  path: string;
  headers: Readonly<Record<string, string>>;
  body?: string | Buffer;
}

export interface WireResponse {
  status: number;
  retryAfter: string | undefined;
  /** Empty when the bytes went to `onBytes`. */
  body: Buffer;
}

export class Wire {
  readonly #client: Client;

  constructor(port: number) {
    // Idle streams are silent for minutes.
    this.#client = new Client(`http://127.0.0.1:${port}`, { headersTimeout: 0, bodyTimeout: 0 });
  }

  /**
   * Resolves when the response has ended. A successful response's bytes go to `onBytes` as they arrive, if it
   * is given. Uses no `Readable`, because the load must cost a fraction of what it measures.
   */
  send(request: WireRequest, onBytes?: (bytes: Buffer) => void): Promise<WireResponse> {
    return new Promise((resolve, reject) => {
      const pieces: Buffer[] = [];
      let status = 0;
      let retryAfter: string | undefined;
      const handler: Dispatcher.DispatchHandler = {
        onRequestStart: () => undefined,
        onResponseStart(_, statusCode, headers) {
          status = statusCode;
          retryAfter = headers["retry-after"]?.toString();
        },
        onResponseData(_, bytes) {
          if (onBytes !== undefined && status < 300) onBytes(bytes);
          else pieces.push(bytes);
        },
        onResponseEnd: () => resolve({ status, retryAfter, body: Buffer.concat(pieces) }),
        onResponseError: (_, error) => reject(error),
      };
      this.#client.dispatch(request, handler);
    });
  }

  /** Sends the request, and rejects unless the response has this status. */
  async expect(status: number, request: WireRequest, onBytes?: (bytes: Buffer) => void): Promise<Buffer> {
    const response = await this.send(request, onBytes);
    if (response.status !== status)
      throw new Error(`${request.path} was answered ${response.status}: ${response.body.subarray(0, 300)}`);
    return response.body;
  }

  close(): void {
    void this.#client.destroy();
  }
}
