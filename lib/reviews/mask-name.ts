/** Masks a name: its first letter and a mask; "–" for deleted accounts. */
export function maskName(username: string): string {
  const [firstCharacter] = new Intl.Segmenter().segment(username.trim());
  return firstCharacter?.segment === "–" && username.length === 1
    ? "–"
    : `${firstCharacter?.segment ?? "?"}***`;
}
