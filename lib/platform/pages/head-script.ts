import { THEME_KEY } from "./theme";

/** The key in local storage of the announcement that the reader has closed. */
export const CLOSED_ANNOUNCEMENT_KEY = "announcement";

/**
 * Runs in the head of every page, before anything is painted, so that neither a chosen theme nor a closed announcement
 * flashes. Cached pages are the same for all readers; this script reads the choices in the browser. Its hash is in the
 * content security policy.
 */
export const HEAD_SCRIPT = `try{var t=localStorage.getItem("${THEME_KEY}"),a=localStorage.getItem("${CLOSED_ANNOUNCEMENT_KEY}"),s;if(t=="light"||t=="dark")document.documentElement.dataset.theme=t;if(/^ann_\\w+$/.test(a)){s=new CSSStyleSheet;s.insertRule("#"+a+"{display:none}");document.adoptedStyleSheets=[s]}}catch(e){}`;
