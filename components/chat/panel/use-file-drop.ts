import { type DragEvent, useState } from "react";

/** Makes the panel a drop zone for files. */
export function useFileDrop(onDrop: (files: readonly File[]) => void) {
  const [isDragging, setDragging] = useState(false);
  const hasFiles = (event: DragEvent) => event.dataTransfer.types.includes("Files");
  return {
    isDragging,
    dropTarget: {
      onDragOver(event: DragEvent) {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setDragging(true);
      },
      onDragLeave(event: DragEvent) {
        const { currentTarget, relatedTarget } = event;
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setDragging(false);
      },
      onDrop(event: DragEvent) {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setDragging(false);
        onDrop([...event.dataTransfer.files]);
      },
    },
  };
}
