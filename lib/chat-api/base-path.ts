/** The base path of the chat's server, unless the host sets another one. */
export const defaultBasePath = "/api/chat";
