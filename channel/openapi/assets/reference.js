/* Copy buttons. Browsers offer the clipboard on loopback and over HTTPS only. */
for (const block of navigator.clipboard === undefined ? [] : document.querySelectorAll("pre")) {
  const button = document.createElement("button");
  const label = () => {
    button.textContent = "Copy";
  };
  label();
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(block.textContent);
    button.textContent = "Copied";
    button.addEventListener("blur", label, { once: true });
  });
  block.after(button);
}
