import { type DragEvent, useState } from "react";

/** Makes the panel a drop zone for files. */
export function useFileDrop() {
  const [isDragging, setDragging] = useState(false);
  const [dropped, setDropped] = useState<readonly File[]>([]);
  const hasFiles = (event: DragEvent) => event.dataTransfer.types.includes("Files");
  return {
    isDragging,
    dropped,
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
        setDropped([...event.dataTransfer.files]);
      },
    },
  };
}
