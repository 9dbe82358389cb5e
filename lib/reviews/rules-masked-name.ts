/** What others see of a name: its first letter and a mask. Who deleted their account has none: "–". */
export function maskName(username: string): string {
  const [first] = new Intl.Segmenter().segment(username.trim());
  return first?.segment === "–" && username.length === 1 ? "–" : `${first?.segment ?? "?"}***`;
}
