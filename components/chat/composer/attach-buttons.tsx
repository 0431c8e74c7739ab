import { type ChangeEvent, type RefObject, useRef } from "react";
import { fileMediaTypes } from "../../../lib/chat-api/limits.ts";
import { useChatContext } from "../chat-context.ts";
import { IconButton } from "../controls/icon-button.tsx";
import { Icon } from "../controls/icons.tsx";
import { hasOnScreenKeyboard } from "./on-screen-keyboard.ts";

export interface AttachButtonsProps {
  /** The file input. Other components click it, too, to let the customer choose another file. */
  chooser: RefObject<HTMLInputElement | null>;
  onFiles(files: readonly File[]): void;
}

/** A button that chooses files, and on phones and tablets one that takes a picture. */
export function AttachButtons({ chooser, onFiles }: AttachButtonsProps) {
  const { t } = useChatContext();
  const camera = useRef<HTMLInputElement>(null);

  function onChange(event: ChangeEvent<HTMLInputElement>): void {
    onFiles([...(event.target.files ?? [])]);
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
