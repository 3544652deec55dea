/** Saves text as a file with this name, as a download link does. */
export function saveFile({ name, type, text }: { name: string; type: string; text: string }): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
