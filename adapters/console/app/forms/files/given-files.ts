/** The files of what was dropped or pasted. Folders are none: a browser cannot read their bytes. */
export function givenFiles(data: DataTransfer): File[] {
  return [...data.items].flatMap((item) => {
    if (item.kind !== "file" || item.webkitGetAsEntry()?.isDirectory === true) return [];
    const file = item.getAsFile();
    return file === null ? [] : [file];
  });
}
