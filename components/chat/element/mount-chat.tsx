import { createRoot } from "react-dom/client";
import { Widget, type WidgetProps } from "../chat-widget.tsx";

export interface MountedChat {
  draw(props: WidgetProps): void;
  unmount(): void;
}

/** Mounts the React chat. Loaded when the chat is opened for the first time or has unfinished work. */
export function mountChat(container: Element): MountedChat {
  const root = createRoot(container);
  return {
    draw: (props) => root.render(<Widget {...props} />),
    unmount: () => root.unmount(),
  };
}
