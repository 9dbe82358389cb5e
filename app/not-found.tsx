/** For addresses outside the shop's pages ("/x.txt"); all others have a page of their own (components/shell). */
export default function NotFound() {
  return "This page could not be found.";
}
