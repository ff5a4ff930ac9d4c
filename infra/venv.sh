# shellcheck shell=bash
# Sourced: keeps .local/venv as requirements files say.

# ensure_venv ROOT FILE… installs the pinned requirements; does nothing when they have not changed.
ensure_venv() {
  local root=$1 venv=$1/.local/venv file stamp
  shift
  local python candidate
  # Tried, not only looked up: a version manager puts names on the PATH that are not installed.
  for candidate in python3.13 python3.12 python3.11 python3; do
    python=$(command -v "$candidate") && "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && break
    python=
  done
  [[ -n $python ]] || {
    echo "Python 3.11 or newer is needed; none of python3.13, python3.12, python3.11 and python3 on the PATH is one" >&2
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
