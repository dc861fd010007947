"""Groups of commands that suggest similar names for an unknown command."""

from __future__ import annotations

import click


class SuggestingGroup(click.Group):
    """A group whose error for an unknown command names similar commands."""

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that the arguments begin with."""
        try:
            return super().resolve_command(ctx, args)
        except click.NoSuchOption:
            raise
        except click.UsageError as error:
            from ..core.suggestions import similar_names

            names = similar_names(args[0], self.list_commands(ctx))
            if not names:
                raise
            raise click.UsageError(f"{error.message.rstrip('.')}; did you mean {' or '.join(names)}?", ctx) from None
