/**
 * Collects arriving bytes in blocks instead of keeping each chunk: 4 MiB sent byte by byte would be four
 * million chunks, each a hundred times as large as its content.
 */
const blockBytes = { first: 1_024, most: 256 * 1_024 };

export function createByteBlocks() {
  const full: Buffer<ArrayBuffer>[] = [];
  let block = Buffer.alloc(0);
  // The number of used bytes of the current block.
  let used = 0;
  let size = 0;

  function nextBlock(atLeast: number) {
    full.push(block);
    const length = Math.max(blockBytes.first, block.length * 2, atLeast);
    block = Buffer.alloc(Math.min(length, blockBytes.most));
    used = 0;
  }

  return {
    size: () => size,
    add(piece: Uint8Array) {
      for (let from = 0; from < piece.byteLength; ) {
        if (used === block.length) nextBlock(piece.byteLength - from);
        const part = piece.subarray(from, from + block.length - used);
        block.set(part, used);
        used += part.byteLength;
        from += part.byteLength;
      }
      size += piece.byteLength;
    },
    /** The first `end` bytes; all of them if there are fewer. */
    until(end: number): Buffer<ArrayBuffer>[] {
      let start = 0;
      return [...full, block.subarray(0, used)].map((bytes) => {
        const cut = bytes.subarray(0, Math.max(0, end - start));
        start += bytes.length;
        return cut;
      });
    },
  };
}
