/** In whose name stories are played: user and field manager. */
export const USER = 'exploration-user';
