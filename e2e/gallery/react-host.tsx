/** A React page around the chat, with the keyboard shortcuts of a page on its own root element. */
import { createRoot } from "react-dom/client";
import { ChatWidget } from "../../components/chat/chat-widget.tsx";
import { adoptSheets } from "../../components/chat/element/sheets.ts";

adoptSheets(document);
const heard: string[] = [];
Object.assign(window, { heardByReact: heard });
const hear = (event: React.SyntheticEvent) => heard.push(event.type);

for (const place of document.querySelectorAll<HTMLElement>("[data-react-chat]"))
  createRoot(place).render(
    // biome-ignore lint/a11y/noStaticElementInteractions: an app's root that listens for shortcuts
    <section onKeyDown={hear} onKeyUp={hear} onInput={hear} onPaste={hear} onFocus={hear} onSubmit={hear}>
      <ChatWidget
        agentName="Wren"
        shopName="Tarn & Tread"
        mode={place.dataset["reactChat"] === "inline" ? "inline" : undefined}
      />
    </section>,
  );
