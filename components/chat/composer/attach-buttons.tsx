import { type ChangeEvent, type RefObject, useRef } from "react";
import { fileMediaTypes } from "../../../lib/chat-api/limits.ts";
import { useChatContext } from "../chat-context.ts";
import { hasOnScreenKeyboard } from "../controls/browser.ts";
import { IconButton } from "../controls/buttons.tsx";
import { Icon } from "../controls/icons.tsx";

/**
 * A button that chooses files, and on phones and tablets one that takes a picture. Other components click the
 * file input `chooser`, too.
 */
export function AttachButtons({ chooser }: { chooser: RefObject<HTMLInputElement | null> }) {
  const { chat, t } = useChatContext();
  const camera = useRef<HTMLInputElement>(null);

  function onChange(event: ChangeEvent<HTMLInputElement>): void {
    chat.attach([...(event.target.files ?? [])]);
    // Lets the customer choose the same file again after removing it.
    event.target.value = "";
  }

  return (
    <>
      <input ref={chooser} type="file" multiple hidden accept={fileMediaTypes.join()} onChange={onChange} />
      <input ref={camera} type="file" hidden accept="image/*" capture="environment" onChange={onChange} />
      <IconButton
        label={t.composer.attach}
        icon={<Icon name="attach" />}
        onClick={() => chooser.current?.click()}
      />
      {/* Elsewhere the file chooser is enough. */}
      {hasOnScreenKeyboard() && (
        <IconButton
          label={t.composer.camera}
          icon={<Icon name="camera" />}
          onClick={() => camera.current?.click()}
        />
      )}
    </>
  );
}
