/** How a container has answered a question. */
export interface Answer {
  readonly isSuccess: boolean;
  /** For events and messages; at most some hundred characters. */
  readonly text: string;
}
