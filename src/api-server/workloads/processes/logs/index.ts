/** The output of containers, line by line, bounded on disk. The way in is {@link ContainerLog}. */
export { ContainerLog } from './container-log.js';
export { isSelected, type LogLine, type LogSelection, selected, shownText } from './log-line.js';
