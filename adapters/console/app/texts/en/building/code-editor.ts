export const codeEditor = {
  howToLeave: "Press Escape, then Tab, to leave the editor.",
  leave: "Press Tab to leave the editor.",
  example: (code: string) => `Example: ${code}`,
};
