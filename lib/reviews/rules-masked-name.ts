/** Masks a name: its first letter and a mask; "–" for deleted accounts. */
export function maskName(username: string): string {
  const [first] = new Intl.Segmenter().segment(username.trim());
  return first?.segment === "–" && username.length === 1 ? "–" : `${first?.segment ?? "?"}***`;
}
