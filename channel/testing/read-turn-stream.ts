/** Reads a streamed reply in tests: its events, comments and text. */
import type { TurnEvent } from "#lib/chat-api/turn-events.ts";

export interface ReadStream {
  events: TurnEvent[];
  comments: string[];
  /** The concatenated deltas. */
  text: string;
}

/** Reads to the end, or until `more` returns false. */
export async function readTurnStream(
  response: Response,
  more: (events: readonly TurnEvent[]) => boolean = () => true,
): Promise<ReadStream> {
  const result: ReadStream = { events: [], comments: [], text: "" };
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  while (reader !== undefined && more(result.events)) {
    const { done, value } = await reader.read();
    if (done) {
      if (rest !== "") throw new Error(`the stream ended inside of ${JSON.stringify(rest)}`);
      return result;
    }
    const blocks = (rest + value).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) take(block, result);
  }
  await reader?.cancel();
  return result;
}

/** Parses strictly, because the encoding of events is part of the Chat API. */
function take(block: string, result: ReadStream): void {
  if (block.startsWith(":")) {
    result.comments.push(block);
    return;
  }
  const [, type, data] = /^event: (start|delta|done|error)\ndata: (\{.*\})$/.exec(block) ?? [];
  if (type === undefined || data === undefined) throw new Error(`not an event: ${JSON.stringify(block)}`);
  // The tests check the type: they compare the parsed event with the expected one.
  const event = { type, ...JSON.parse(data) } as TurnEvent;
  result.events.push(event);
  if (event.type === "delta") result.text += event.text;
}
