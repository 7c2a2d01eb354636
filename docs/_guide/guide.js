// A button on each block that is there to be pasted. Transcripts and replies have none.
const PASTED = ["sh", "json", "toml", "python", "nginx", "ini"];

document.addEventListener("DOMContentLoaded", () => {
  if (!navigator.clipboard) return;
  for (const language of PASTED) {
    for (const block of document.querySelectorAll(`.highlight-${language}`)) {
      const button = document.createElement("button");
      button.className = "copy";
      button.type = "button";
      button.textContent = "Copy";
      button.addEventListener("click", async () => {
        await navigator.clipboard.writeText(block.querySelector("pre").textContent);
        button.textContent = "Copied";
        setTimeout(() => { button.textContent = "Copy"; }, 2000);
      });
      block.append(button);
    }
  }
});
