# shellcheck shell=bash
# Sourced: keeps .local/venv as requirements files say.

# ensure_venv ROOT FILE… installs the pinned requirements; does nothing when they have not changed.
ensure_venv() {
  local root=$1 venv=$1/.local/venv file stamp candidate
  shift
  local python=
  # A name may be a shim of a version manager that has no such version: only running it tells.
  for candidate in python3 python3.14 python3.13 python3.12 python3.11; do
    if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
      python=$candidate
      break
    fi
  done
  [[ -n $python ]] || {
    echo "Python 3.11 or newer is needed, and not on the PATH" >&2
    return 2
  }
  mkdir -p "$root/.local"
  # One at a time: two commands may be started at once.
  exec 9>"$root/.local/venv.lock"
  flock 9 2>/dev/null || true
  if [[ ! -x $venv/bin/python ]]; then
    echo "==> creating $venv"
    "$python" -m venv "$venv" || {
      echo "the virtual environment could not be made; on Debian: apt-get install python3-venv" >&2
      return 2
    }
  fi
  for file in "$@"; do
    stamp=$venv/installed-${file//\//-}
    if ! cmp -s "$root/$file" "$stamp"; then
      echo "==> installing $file"
      # The file pins every package, so nothing is left to resolve.
      "$venv/bin/python" -m pip install --disable-pip-version-check --quiet --no-deps -r "$root/$file" || return
      cp "$root/$file" "$stamp" || return
    fi
  done
  exec 9>&-
}
