/** Separate from the other icons because `<shop-chat>` draws its button before it loads React. */
export const chatIcon =
  "M4.5 18.5V6.75A2.75 2.75 0 0 1 7.25 4h9.5a2.75 2.75 0 0 1 2.75 2.75v6.5A2.75 2.75 0 0 1 16.75 16H8.5l-4 2.5ZM8.5 8.75h7M8.5 11.75h4.5";
