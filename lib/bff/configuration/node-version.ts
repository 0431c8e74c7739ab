/** Imported first by every server entry: on an older Node, other imports fail without naming the cause. */
const required = [22, 19] as const;

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < required[0] || (major === required[0] && minor < required[1]))
  throw new Error(
    `The chat server requires Node ${required.join(".")} or newer; this is Node ${process.versions.node}.`,
  );

export {};
