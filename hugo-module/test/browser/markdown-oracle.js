/*
 * What a comment is to show: the HTML that the hook bakes of it, by a library that knows CommonMark. The script
 * of the live list is compared with it.
 */
export { REL, renderMarkdown as expected } from '../../../stacosys-hook/src/markdown.js';
