/** Every request of the chat carries them: another site's form cannot set them. */
export const clientHeaders = { "X-Chat-Client": "1" } as const;
