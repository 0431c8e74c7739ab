/** The address of the synthetic Chat API, from the BFF's three variables. */
const variable = (name: string) => process.env[name] ?? "";

export const upstreamBase = `${variable("CHAT_BASE_URL")}/v1/channels/${variable("CHAT_CHANNEL_KEY")}`;
export const upstreamKey = `Bearer ${variable("CHAT_KEY")}`;
